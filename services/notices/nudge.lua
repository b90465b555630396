-- Takes note that somebody was nudged, and plans to tell them: both, or neither.
--
-- Keys: the match's nudges, what is planned. Arguments: the player, now, the millisecond after which a nudge is long ago,
-- what is planned, seconds for which it is kept.
-- Answer: the millisecond of the nudge that was there, or 0 if this one counts.

local nudges, plans = KEYS[1], KEYS[2]
local before = tonumber(redis.call('HGET', nudges, ARGV[1]) or 0)
if before > tonumber(ARGV[3]) then
    return before
end
redis.call('HSET', nudges, ARGV[1], ARGV[2])
redis.call('EXPIRE', nudges, ARGV[5])
redis.call('ZADD', plans, ARGV[2], ARGV[4])
return 0
