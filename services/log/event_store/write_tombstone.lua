-- Reduces a closed match, whose archived copy was verified, to a tombstone that keeps its id from being reused.
--
-- Keys: events, meta, refused, due. The head is compared, so that exactly what was archived is removed.

local events, meta, refused, due_index = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local match, head = ARGV[1], ARGV[2]

local known = redis.call('HMGET', meta, 'status', 'head', 'version', 'game', 'rules')
if known[2] ~= head or known[1] == 'open' then
    return 0
end
redis.call('ZREM', due_index, match)
redis.call('UNLINK', events, refused)
-- Made afresh rather than thinned out: a hash that once held long fields never returns to its compact form.
redis.call('DEL', meta)
redis.call('HSET', meta, 'version', known[3], 'head', head, 'status', 'archived', 'game', known[4], 'rules', known[5])
return 1
