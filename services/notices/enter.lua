-- Enters an occasion into the outbox: once for each person and channel, however often this is said.
--
-- Keys: the match's entries, what is to be sent, what is planned. Arguments: the plan, seconds for which entries are kept,
-- then for each channel: its field, its entry, its member in what is to be sent, the millisecond at which that may go.
-- Answer: how many entries are new.

local entries, outgoing, plans = KEYS[1], KEYS[2], KEYS[3]
local new = 0
for at = 3, #ARGV, 4 do
    if redis.call('HSETNX', entries, ARGV[at], ARGV[at + 1]) == 1 then
        redis.call('ZADD', outgoing, ARGV[at + 3], ARGV[at + 2])
        new = new + 1
    end
end
redis.call('EXPIRE', entries, ARGV[2])
redis.call('ZREM', plans, ARGV[1])
return new
