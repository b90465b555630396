-- Moves a consumer's checkpoint, unless it has moved meanwhile: two processes that run the same consumer by mistake
-- cannot both pass the same pointer.
--
-- Keys: shard, leases. An empty old checkpoint means that the consumer is not registered yet. With a duty and a fencing
-- number it moves only if nobody has taken that duty's lease since: who was frozen and wakes up is stopped here.

local shard, leases, consumer_field, old, new = KEYS[1], KEYS[2], ARGV[1], ARGV[2], ARGV[3]
local duty, number = ARGV[4], ARGV[5]

if duty and string.match(redis.call('HGET', leases, duty) or '', '^%d+') ~= number then
    return 0
end
local present = redis.call('HGET', shard, consumer_field)
if tonumber(present or '-1') ~= tonumber(old == '' and '-1' or old) then
    return 0
end
redis.call('HSET', shard, consumer_field, new)
return 1
