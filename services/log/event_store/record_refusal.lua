-- Keeps a refused command, unless the match does not exist or is archived: nobody may fill the store with made-up ids.
--
-- Keys: meta, refused.

local meta, refused, refusal, kept = KEYS[1], KEYS[2], ARGV[1], tonumber(ARGV[2])

local status = redis.call('HGET', meta, 'status')
if not status or status == 'archived' then
    return 0
end
redis.call('RPUSH', refused, refusal)
redis.call('LTRIM', refused, -kept, -1)
return 1
