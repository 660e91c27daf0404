-- After the data, which is quicker.
ALTER TABLE city ADD PRIMARY KEY (id), ADD UNIQUE (name);
ALTER TABLE property ADD PRIMARY KEY (id);
ALTER TABLE offer ADD PRIMARY KEY (id);
ALTER TABLE availability ADD PRIMARY KEY (city, night, room_type) INCLUDE (free);
ALTER TABLE rate ADD PRIMARY KEY (city, night, offer) INCLUDE (room_type, amount);
CREATE INDEX ON restriction (city, night);
VACUUM (ANALYZE, FREEZE);
CHECKPOINT;
