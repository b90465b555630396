-- Takes from token buckets what was used, where there is that much.
--
-- A bucket is kept as the instant at which it will be full again, in milliseconds: that one number tells how much is in
-- it now. A key that is not there is a full bucket, so a key lives only as long as something is missing.
--
-- Keys: the buckets. Arguments: for each, tokens that flow in every second, tokens that it holds, tokens to take.
-- Answer: for each, 0 when they were taken, else the milliseconds until there will be enough; then nothing was taken.

local clock = redis.call('TIME')
local now = clock[1] * 1000 + clock[2] / 1000
local answers = {}

for place, bucket in ipairs(KEYS) do
    local rate, most, wanted = ARGV[place * 3 - 2], ARGV[place * 3 - 1], ARGV[place * 3]
    local millisecond = rate / 1000
    local fills = most / millisecond
    local full = tonumber(redis.call('GET', bucket) or '') or now
    if not (full >= now and full <= now + fills + 1) then
        -- Filled up since, or emptier than empty: a clock that was set back, or a lower limit, must not lock anybody out.
        full = now
    end
    full = full + wanted / millisecond
    local wait = full - now - fills
    -- Instants of this size are exact to a thousandth of a millisecond at best: a whole bucket can be taken at once.
    if wait < 0.01 then
        redis.call('SET', bucket, string.format('%.3f', full), 'PX', math.max(1, math.ceil(full - now)))
        answers[place] = 0
    else
        answers[place] = math.ceil(wait)
    end
end

return answers
