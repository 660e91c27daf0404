# Run once by the image of PostgreSQL, on an empty directory, before there are standbys.
psql --username postgres --set ON_ERROR_STOP=1 <<'SQL'
SET synchronous_commit = local;
CREATE ROLE innkeep LOGIN PASSWORD 'try';
CREATE DATABASE innkeep OWNER innkeep;
SQL
echo 'host replication postgres samenet scram-sha-256' >> "$PGDATA/pg_hba.conf"
