-- Sets or removes a match's due instant, if its version is still the one that the instant was computed from.
--
-- Keys: meta, due. Without the comparison a slow clock could overwrite the instant set by a later command.

local meta, due_index = KEYS[1], KEYS[2]
local match, version, due = ARGV[1], tonumber(ARGV[2]), ARGV[3]

local known = redis.call('HMGET', meta, 'version', 'status')
if known[2] ~= 'open' then
    -- An entry without an open match would be visited in vain for ever.
    redis.call('ZREM', due_index, match)
    return 0
end
if tonumber(known[1] or '0') ~= version then
    return 0
end
redis.call('ZSCORE', due_index, match)
if due == '' then
    redis.call('HDEL', meta, 'due')
    redis.call('ZREM', due_index, match)
else
    redis.call('HSET', meta, 'due', due)
    redis.call('ZADD', due_index, due, match)
end
return 1
