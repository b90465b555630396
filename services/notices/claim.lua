-- Claims a message for one attempt at delivering it. Until the claim ends nobody else gets it; if its worker dies, it
-- comes again.
--
-- Keys: messages on their way, the message. Arguments: its id, now, the end of the claim, both in milliseconds.
-- Answer: the content and the number of this attempt, or nothing if it is not due, or delivered, or gone.

local sending, message = KEYS[1], KEYS[2]
local due = redis.call('ZSCORE', sending, ARGV[1])
if not due or tonumber(due) > tonumber(ARGV[2]) then
    return false
end
local content = redis.call('HGET', message, 'content')
if not content then
    redis.call('ZREM', sending, ARGV[1])
    return false
end
redis.call('ZADD', sending, ARGV[3], ARGV[1])
return {content, redis.call('HINCRBY', message, 'attempts', 1)}
