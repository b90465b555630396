-- Drops the pointers that every registered consumer has passed; none if there is no consumer.
--
-- Keys: shard, feed. In one step: a consumer that registers at this moment does so before (and counts) or after.

local shard, feed, consumer_field = KEYS[1], KEYS[2], ARGV[1]

local lowest
local fields = redis.call('HGETALL', shard)
for number = 1, #fields, 2 do
    if string.sub(fields[number], 1, #consumer_field) == consumer_field then
        local checkpoint = tonumber(fields[number + 1])
        if not lowest or checkpoint < lowest then
            lowest = checkpoint
        end
    end
end
if not lowest then
    return 0
end
return redis.call('XTRIM', feed, 'MINID', string.format('%d-0', lowest + 1))
