-- Puts a whole log in the place of a damaged one, and notes the operator's act beside it.
--
-- Keys: events, meta, due, shard, feed, acts; all in one slot. Without a stamp nothing is written and the present stamp is
-- returned; with one, nothing is written unless it still is the present one, so that no command that came meanwhile is
-- lost. Writes come in the same order as in append.lua, for the same reasons.

local events, meta, due_index, shard, feed, acts = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local stamp, match, first, version, head, status = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local game, rules, due, types = ARGV[7], ARGV[8], ARGV[9], ARGV[10]
local act, acts_kept, actor_prefix = ARGV[11], tonumber(ARGV[12]), ARGV[13]
local FIRST_ENTRY, PARTS = 14, 3
local count = (#ARGV - FIRST_ENTRY + 1) / PARTS

local known = redis.call('HMGET', meta, 'version', 'head', 'status')
local newest = redis.call('XREVRANGE', events, '+', '-', 'COUNT', 1)[1]
local present = string.format('%s %s %s %d %s', known[1] or '', known[2] or '', known[3] or '',
    redis.call('XLEN', events), newest and newest[1] or '')
if stamp == '' then
    return present
end
if stamp ~= present then
    return 0
end

redis.call('ZSCORE', due_index, match)
redis.call('LLEN', acts)
local fields = redis.call('HKEYS', meta)
local position = tonumber(redis.call('HGET', shard, 'position') or '0') + 1
local taken = redis.pcall('XADD', feed, string.format('%d-0', position),
    'm', match, 'f', first, 't', version, 'y', types)
if type(taken) ~= 'string' then
    return taken
end
redis.call('HSET', shard, 'position', string.format('%d', position))

redis.call('RPUSH', acts, act)
redis.call('LTRIM', acts, -acts_kept, -1)
redis.call('DEL', events)
for number = 1, count do
    local entry = FIRST_ENTRY + (number - 1) * PARTS
    local id = string.format('%d-0', number)
    if ARGV[entry + 1] == '' then
        redis.call('XADD', events, id, 'e', ARGV[entry], 'h', ARGV[entry + 2])
    else
        redis.call('XADD', events, id, 'e', ARGV[entry], 's', ARGV[entry + 1], 'h', ARGV[entry + 2])
    end
end
-- The commands that the match remembers stay: a command sent again must get its own first answer.
for _, field in ipairs(fields) do
    if string.sub(field, 1, #actor_prefix) ~= actor_prefix then
        redis.call('HDEL', meta, field)
    end
end
redis.call('HSET', meta, 'version', version, 'head', head, 'status', status, 'game', game, 'rules', rules)
if due == '' then
    redis.call('ZREM', due_index, match)
else
    redis.call('HSET', meta, 'due', due)
    redis.call('ZADD', due_index, due, match)
end
return 1
