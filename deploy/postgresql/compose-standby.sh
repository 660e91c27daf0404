# A standby of the name $1: copies the primary when it is empty, and follows it.
set -eu
chmod 700 "$PGDATA"
primary="host=primary user=postgres password=$PGPASSWORD application_name=$1"
until [ -s "$PGDATA/PG_VERSION" ] || pg_basebackup -d "$primary" -D "$PGDATA" -R -X stream; do
  sleep 1
done
exec postgres
