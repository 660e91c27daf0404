-- One hold of peer 2, atomic because Redis runs one script at a time.
--
-- KEYS  1 idempotency record (hash h, s, b), per tenant
--       2 rooms left, a string of 2 bytes per night
--       3 the hold (hash)
--       4 expiry of the property's holds (sorted set, score = epoch ms)
-- ARGV  1 body hash, 2 first night, 3 nights, 4 hold id, 5 now, 6 ttl, 7 quote expiry (all ms)
-- Returns {HTTP status, JSON body, 1 when replayed}.
local IDEMPOTENCY_TTL_MS = 86400000
local body_hash, first, nights = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local hold_id, now, expires = ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[5]) + tonumber(ARGV[6])

local known = redis.call('HMGET', KEYS[1], 'h', 's', 'b')
if known[1] then
  if known[1] ~= body_hash then return {409, '{"code":"idempotency_conflict"}', 0} end
  return {tonumber(known[2]), known[3], 1}
end

-- Every outcome is sealed under the key, refusals too.
local function seal(status, body)
  redis.call('HSET', KEYS[1], 'h', body_hash, 's', status, 'b', body)
  redis.call('PEXPIRE', KEYS[1], IDEMPOTENCY_TTL_MS)
  return {status, body, 0}
end

if tonumber(ARGV[7]) < now then return seal(410, '{"code":"quote_expired"}') end

local left = redis.call('GETRANGE', KEYS[2], first * 2, (first + nights) * 2 - 1)
if #left ~= nights * 2 then return seal(409, '{"code":"allocation_failed"}') end
local taken = {}
for i = 1, #left, 2 do
  local rooms = string.byte(left, i) * 256 + string.byte(left, i + 1) - 1
  if rooms < 0 then return seal(409, '{"code":"allocation_failed"}') end
  taken[#taken + 1] = string.char(math.floor(rooms / 256), rooms % 256)
end
redis.call('SETRANGE', KEYS[2], first * 2, table.concat(taken))
redis.call('HSET', KEYS[3], 'q', first .. ':' .. nights, 'st', 'held', 'ex', expires)
redis.call('ZADD', KEYS[4], expires, hold_id)
return seal(201, '{"hold_id":"' .. hold_id .. '","state":"held","expires_at":' .. expires .. '}')
