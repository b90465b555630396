-- Returns how far a shard's feed is, and writes something for which WAIT can wait after that.

local shard, waited_field, replicas = KEYS[1], ARGV[1], ARGV[2]

redis.call('HSET', shard, waited_field, replicas)
return tonumber(redis.call('HGET', shard, 'position') or 0)
