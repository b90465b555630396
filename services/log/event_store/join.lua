-- Notes that a process lives and shares the work, forgets those that do not, and returns all that do.
--
-- Keys: members, a sorted set by the instant until which each counts as living. Time is the server's.

local members, member, lasts = KEYS[1], ARGV[1], tonumber(ARGV[2])

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
redis.call('ZADD', members, now + lasts, member)
for position = 3, #ARGV do
    redis.call('ZREM', members, ARGV[position])
end
redis.call('ZREMRANGEBYSCORE', members, '-inf', now)
return redis.call('ZRANGE', members, 0, -1)
