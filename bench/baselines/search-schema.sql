-- The peer of searches: what a team that knows PostgreSQL would search a city in. Nights lie by city
-- and date, so that a search reads one run of an index for each night and never the table itself;
-- what is asked of room type and rate plan stands in one row, and so does each restriction.
CREATE TABLE city (id int, name text NOT NULL);
CREATE TABLE property (
  id int, public_id uuid NOT NULL, slug text NOT NULL, name text NOT NULL, star_rating int,
  lat float NOT NULL, lng float NOT NULL, city_name text NOT NULL, country text NOT NULL, image text
);
CREATE TABLE offer (
  id int, public_id uuid NOT NULL, property int NOT NULL, name text NOT NULL,
  meal_plan text NOT NULL, cancellation_kind text NOT NULL, currency text NOT NULL,
  extra_adult int NOT NULL, room_type_id uuid NOT NULL, room_type_name text NOT NULL,
  bed_type text, max_occupancy int NOT NULL, included_occupancy int NOT NULL
);
-- Nights are days since 1970-01-01.
CREATE TABLE availability (city int, night int, room_type int, free int NOT NULL);
CREATE TABLE rate (city int, night int, offer int, room_type int NOT NULL, amount int NOT NULL);
CREATE TABLE restriction (
  city int NOT NULL, night int NOT NULL, offer int NOT NULL,
  stop_sell boolean, cta boolean, ctd boolean, min_los int
);
