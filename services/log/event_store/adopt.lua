-- Takes in a whole log that was written elsewhere, unless its id is taken here.
--
-- Keys: events, meta, due, shard, feed; all in one slot. Everything happens in one step, so that no reader and no bot
-- ever meets half a match. Writes come in the same order as in append.lua, for the same reasons.

local events, meta, due_index, shard, feed = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local match, version, head, status = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local game, rules, due, types = ARGV[5], ARGV[6], ARGV[7], ARGV[8]
local FIRST_ENTRY, PARTS = 9, 3
local count = (#ARGV - FIRST_ENTRY + 1) / PARTS

-- A tombstone is a record, too: an id is never used again.
if redis.call('EXISTS', meta) == 1 then
    return 'known'
end
if redis.call('EXISTS', events) == 1 then
    return 'broken'
end
redis.call('ZSCORE', due_index, match)
local position = tonumber(redis.call('HGET', shard, 'position') or '0') + 1
local taken = redis.pcall('XADD', feed, string.format('%d-0', position),
    'm', match, 'f', '1', 't', version, 'y', types)
if type(taken) ~= 'string' then
    return taken
end
redis.call('HSET', shard, 'position', string.format('%d', position))

for number = 1, count do
    local entry = FIRST_ENTRY + (number - 1) * PARTS
    local id = string.format('%d-0', number)
    if ARGV[entry + 1] == '' then
        redis.call('XADD', events, id, 'e', ARGV[entry], 'h', ARGV[entry + 2])
    else
        redis.call('XADD', events, id, 'e', ARGV[entry], 's', ARGV[entry + 1], 'h', ARGV[entry + 2])
    end
end
redis.call('HSET', meta, 'version', version, 'head', head, 'status', status, 'game', game, 'rules', rules)
if due ~= '' then
    redis.call('HSET', meta, 'due', due)
    redis.call('ZADD', due_index, due, match)
end
return 'adopted'
