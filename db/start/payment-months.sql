CREATE FUNCTION payments_first_month() RETURNS date LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
	SELECT to_date(right(relname, 7), 'YYYY_MM') FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname ~ '^payments_before_\d{4}_\d\d$'
$$;
--> statement-breakpoint
-- Makes the partitions of the month of `today` and of so many months after it that are missing; returns how many it made.
CREATE FUNCTION make_payment_months(today date, months integer) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER
	SET search_path = public, pg_temp SET lock_timeout = '500ms' AS $$
DECLARE
	month date;
	name text;
	made integer := 0;
BEGIN
	FOR n IN 0..months LOOP
		month := date_trunc('month', today)::date + make_interval(months => n);
		name := 'payments_' || to_char(month, 'YYYY_MM');
		CONTINUE WHEN month < payments_first_month() OR to_regclass(name) IS NOT NULL;
		-- Two jobs at once make it once: the table is looked up anew, since names that were resolved before may be remembered.
		PERFORM pg_advisory_xact_lock(7402403);
		CONTINUE WHEN EXISTS (SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname = name);
		-- Attached, not created in place: sales go on meanwhile.
		EXECUTE format('CREATE TABLE %I (LIKE payments INCLUDING DEFAULTS)', name);
		EXECUTE format('ALTER TABLE payments ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name,
			to_char(month, 'YYYY-MM-DD') || ' 00:00:00+00', to_char(month + interval '1 month', 'YYYY-MM-DD') || ' 00:00:00+00');
		made := made + 1;
	END LOOP;
	RETURN made;
END $$;
--> statement-breakpoint
-- The owner may, and whom it grants it: the role of the server (docs/deploy/roles.sql).
REVOKE EXECUTE ON FUNCTION make_payment_months(date, integer) FROM PUBLIC;
--> statement-breakpoint
-- All times before the month in which the database is made, which its name carries; then this month and the next two.
DO $$
DECLARE
	first date := date_trunc('month', now() AT TIME ZONE 'UTC');
BEGIN
	EXECUTE format('CREATE TABLE %I PARTITION OF payments FOR VALUES FROM (MINVALUE) TO (%L)', 'payments_before_' || to_char(first, 'YYYY_MM'),
		to_char(first, 'YYYY-MM-DD') || ' 00:00:00+00');
	-- The net: a time that no month has. It should stay empty; the doctor looks.
	CREATE TABLE payments_default PARTITION OF payments DEFAULT;
	PERFORM make_payment_months(first, 2);
END $$;
