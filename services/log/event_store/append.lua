-- Appends one command's events to a match, or says why not.
--
-- Keys: events, meta, due, shard, feed; all in one slot. Redis runs nothing else between the first line and the last,
-- so whatever is compared here still holds at the writes. All checks come before the first write, because a script that
-- fails half way leaves what it has written.

local events, meta, due_index, shard, feed = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local match, actor_field, command_id, fingerprint = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local expected_version, expected_head, genesis = tonumber(ARGV[5]), ARGV[6], ARGV[7]
local limit, status, game, rules, due = tonumber(ARGV[8]), ARGV[9], ARGV[10], ARGV[11], ARGV[12]
local types, commands_kept, actors_kept, holders = ARGV[13], tonumber(ARGV[14]), tonumber(ARGV[15]), ARGV[16]
local acknowledged = tonumber(ARGV[17])
local FIRST_ENTRY, PARTS = 18, 3
local count = (#ARGV - FIRST_ENTRY + 1) / PARTS

local known = redis.call('HMGET', meta, 'version', 'head', 'status', actor_field)
local version, head, old_status = tonumber(known[1] or '0'), known[2] or genesis, known[3]

-- 1. The command id, before everything else: a command sent again after a lost reply must get its own first answer, not
-- the conflict (or the end of the match) that it caused itself. A record is
-- "<newline>id fingerprint first last"; none of these can hold a space or a newline.
local accepted = known[4] or ''
local at = string.find(accepted, '\n' .. command_id .. ' ', 1, true)
if at then
    local before, first, last = string.match(accepted, '^\n%S+ (%S+) (%d+) (%d+)', at)
    return {before == fingerprint and 'duplicate' or 'reused', tonumber(first), tonumber(last)}
end

-- 2. Closed or archived. A tombstone keeps its meta, so its id is never reused.
if old_status and old_status ~= 'open' then
    return {'gone', old_status}
end

-- 3. The version, as a number, and the head: a rewritten log of the same version is another log.
if version ~= expected_version or head ~= expected_head then
    return {'conflict', version, head}
end

-- 4. This command's limit.
if version + count > limit then
    return {'limit', version, limit}
end

-- Nothing below may fail after the first write. Reading every key first reveals a key of the wrong type; comparing the
-- stream's last entry with meta reveals a store that contradicts itself, on which XADD would fail half way.
local newest = redis.call('XREVRANGE', events, '+', '-', 'COUNT', 1)[1]
local found, wanted = newest and newest[1] or '0-0', string.format('%d-0', version)
if found ~= wanted then
    return {'broken', version, found}
end
redis.call('ZSCORE', due_index, match)
local position = tonumber(redis.call('HGET', shard, 'position') or '0') + 1
-- A feed that ends before what was acknowledged to the sender is that of an older copy of this store, such as a replica
-- that was promoted too early. What is written to it now makes two histories of one.
if position <= acknowledged then
    return {'behind', position - 1}
end

-- 5. Write. A server short of memory or disk, or not allowed to write, refuses a script's first write, but lets a
-- script go on that has written once. The first write is the feed's pointer, and it is guarded, because the feed's last
-- id cannot be read cheaply: whatever is wrong, the answer is the error and nothing is written.
local first, last = version + 1, version + count
local taken = redis.pcall('XADD', feed, string.format('%d-0', position),
    'm', match, 'f', string.format('%d', first), 't', string.format('%d', last), 'y', types)
if type(taken) ~= 'string' then
    return taken
end
redis.call('HSET', shard, 'position', string.format('%d', position))

for number = 1, count do
    local entry = FIRST_ENTRY + (number - 1) * PARTS
    local id = string.format('%d-0', version + number)
    if ARGV[entry + 1] == '' then
        redis.call('XADD', events, id, 'e', ARGV[entry], 'h', ARGV[entry + 2])
    else
        redis.call('XADD', events, id, 'e', ARGV[entry], 's', ARGV[entry + 1], 'h', ARGV[entry + 2])
    end
end

accepted = accepted .. string.format('\n%s %s %d %d', command_id, fingerprint, first, last)
local _, records = string.gsub(accepted, '\n', '')
if records > commands_kept then
    accepted = string.sub(accepted, (string.find(accepted, '\n', 2, true)))
end
redis.call('HSET', meta, 'version', string.format('%d', last), 'head', ARGV[#ARGV], 'status', status,
    'game', game, 'rules', rules, actor_field, accepted)

-- Whoever sits down is a new actor. Once there are too many, those are forgotten who hold nothing here any more, the ones
-- silent for longest first. The last record of an actor ends with its version.
if not known[4] and redis.call('HLEN', meta) > actors_kept then
    local prefix = string.match(actor_field, '^[^:]*:')
    local fields, actors, strangers = redis.call('HGETALL', meta), 0, {}
    for number = 1, #fields, 2 do
        if string.sub(fields[number], 1, #prefix) == prefix then
            actors = actors + 1
            if not string.find(' ' .. holders, ' ' .. fields[number] .. ' ', 1, true) then
                local heard_last = tonumber(string.match(fields[number + 1], '(%d+)$') or '0')
                strangers[#strangers + 1] = {heard_last, fields[number]}
            end
        end
    end
    table.sort(strangers, function(one, other) return one[1] < other[1] end)
    for number = 1, math.min(actors - actors_kept, #strangers) do
        redis.call('HDEL', meta, strangers[number][2])
    end
end

if due == '' then
    redis.call('HDEL', meta, 'due')
    redis.call('ZREM', due_index, match)
else
    redis.call('HSET', meta, 'due', due)
    redis.call('ZADD', due_index, due, match)
end
return {'appended', first, last, position}
