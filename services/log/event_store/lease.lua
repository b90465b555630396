-- Renews, takes and gives back a process's leases on the duties of one shard.
--
-- Keys: leases, a hash of "<fencing number> <until> <member>" by duty. Time is the server's, so that no process's clock
-- matters. Wanted duties are renewed, or taken where nobody holds them any more; all others that the member holds are
-- given back. The number rises whenever another member takes a duty: who was frozen and wakes up is told by it.

local leases, member, lasts, gone_count = KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local FIRST_GONE = 4

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local gone, wanted, numbers = {}, {}, {}
for number = FIRST_GONE, FIRST_GONE + gone_count - 1 do
    gone[ARGV[number]] = true
end

local function held(value)
    local number, ends, holder = string.match(value or '', '^(%d+) (%d+) (.*)$')
    return tonumber(number or '0'), tonumber(ends or '0'), holder or ''
end

for position = FIRST_GONE + gone_count, #ARGV do
    local duty = ARGV[position]
    local number, ends, holder = held(redis.call('HGET', leases, duty))
    wanted[duty] = true
    if holder == member or gone[holder] or ends <= now then
        if holder ~= member then
            number = number + 1
        end
        redis.call('HSET', leases, duty, string.format('%d %d %s', number, now + lasts, member))
        numbers[#numbers + 1] = number
    else
        numbers[#numbers + 1] = 0
    end
end

local all = redis.call('HGETALL', leases)
for position = 1, #all, 2 do
    local number, ends, holder = held(all[position + 1])
    if holder == member and ends > 0 and not wanted[all[position]] then
        redis.call('HSET', leases, all[position], string.format('%d 0 %s', number, member))
    end
end
return numbers
