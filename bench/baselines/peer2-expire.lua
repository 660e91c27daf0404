-- Gives back the rooms of peer 2's holds that are past their time, at most ARGV[2] per property.
--
-- KEYS  1 rooms left, 2 expiry of the property's holds
-- ARGV  1 now (epoch ms), 2 limit, 3 prefix of the property's hold keys
local due = redis.call('ZRANGEBYSCORE', KEYS[2], 0, ARGV[1], 'LIMIT', 0, ARGV[2])
for _, hold_id in ipairs(due) do
  local hold = ARGV[3] .. hold_id
  local first, nights = string.match(redis.call('HGET', hold, 'q'), '(%d+):(%d+)')
  local from = tonumber(first) * 2
  local left = redis.call('GETRANGE', KEYS[1], from, from + tonumber(nights) * 2 - 1)
  local given = {}
  for i = 1, #left, 2 do
    local rooms = string.byte(left, i) * 256 + string.byte(left, i + 1) + 1
    given[#given + 1] = string.char(math.floor(rooms / 256), rooms % 256)
  end
  redis.call('SETRANGE', KEYS[1], from, table.concat(given))
  redis.call('HSET', hold, 'st', 'expired')
  redis.call('ZREM', KEYS[2], hold_id)
end
return #due
