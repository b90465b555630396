-- Moves a consumer's checkpoint, unless it has moved meanwhile: two processes that run the same consumer by mistake
-- cannot both pass the same pointer.
--
-- Keys: shard. An empty old checkpoint means that the consumer is not registered yet.

local shard, consumer_field, old, new = KEYS[1], ARGV[1], ARGV[2], ARGV[3]

local present = redis.call('HGET', shard, consumer_field)
if tonumber(present or '-1') ~= tonumber(old == '' and '-1' or old) then
    return 0
end
redis.call('HSET', shard, consumer_field, new)
return 1
