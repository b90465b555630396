-- Makes one message of several entries: only whoever takes all of them out of what is to be sent may write it.
--
-- Keys: what is to be sent, messages on their way, the message. Arguments: the message's id, its content, the millisecond
-- from which it is delivered, seconds for which it is kept, then the members that it takes. Answer: 1 if it was written.

local outgoing, sending, message = KEYS[1], KEYS[2], KEYS[3]
for at = 5, #ARGV do
    if not redis.call('ZSCORE', outgoing, ARGV[at]) then
        return 0
    end
end
for at = 5, #ARGV do
    redis.call('ZREM', outgoing, ARGV[at])
end
redis.call('HSET', message, 'content', ARGV[2], 'attempts', 0, 'state', 'waiting')
redis.call('EXPIRE', message, ARGV[4])
redis.call('ZADD', sending, ARGV[3], ARGV[1])
return 1
