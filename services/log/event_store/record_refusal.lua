-- Keeps a refused command. Not for matches that do not exist or are archived: nobody may fill the store with ids that
-- he made up.
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
