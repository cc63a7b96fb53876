-- The journal by month. The table of before becomes the first partition as it is: no row is copied. On a filled database
-- db/prepare-months.ts has made everything ready that takes time, and these statements take moments; on a small one they do it themselves.
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
-- Makes ready: keys of all payments, a unique index for the new primary key, and a check that spares the partition a scan.
DO $$
DECLARE
	first date;
BEGIN
	IF EXISTS (SELECT FROM pg_constraint WHERE conrelid = 'payments'::regclass AND conname ~ '^payments_before_' AND convalidated) THEN
		RETURN;
	END IF;
	INSERT INTO payment_keys (payment_id, chain_id, asset, payer, nonce, tx_hash, inference_id, created_at)
	SELECT id, chain_id, asset, payer, nonce, tx_hash, inference_id, created_at FROM payments FOR KEY SHARE ON CONFLICT (payment_id) DO NOTHING;
	CREATE UNIQUE INDEX IF NOT EXISTS payments_id_created_at_ready ON payments (id, created_at);
	SELECT date_trunc('month', greatest(now() + interval '51 days', max(created_at) + interval '31 days')) INTO first FROM payments;
	EXECUTE format('ALTER TABLE payments ADD CONSTRAINT %I CHECK (created_at < %L)', 'payments_before_' || to_char(first, 'YYYY_MM'),
		to_char(first, 'YYYY-MM-DD') || ' 00:00:00+00');
END $$;
--> statement-breakpoint
DO $$
DECLARE
	before text;
	first text;
	item record;
BEGIN
	LOCK TABLE payments IN ACCESS EXCLUSIVE MODE;
	SELECT conname INTO before FROM pg_constraint WHERE conrelid = 'payments'::regclass AND conname ~ '^payments_before_';
	first := replace(right(before, 7), '_', '-') || '-01 00:00:00+00';

	DROP TRIGGER payments_keep_key ON payments;
	DROP TRIGGER payments_keep_changed_key ON payments;
	ALTER TABLE payments DROP CONSTRAINT payments_pkey;
	EXECUTE format('ALTER TABLE payments RENAME TO %I', before);
	FOR item IN SELECT indexname FROM pg_indexes WHERE schemaname = 'public' AND tablename = before LOOP
		EXECUTE format('ALTER INDEX %I RENAME TO %I', item.indexname, replace(item.indexname, 'payments_', before || '_'));
	END LOOP;
	EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I PRIMARY KEY USING INDEX %I', before, before || '_pkey', before || '_id_created_at_ready');

	EXECUTE format('CREATE TABLE payments (LIKE %I INCLUDING DEFAULTS) PARTITION BY RANGE (created_at)', before);
	ALTER TABLE payments ADD CONSTRAINT payments_id_created_at_pk PRIMARY KEY (id, created_at);
	CREATE INDEX payments_due_idx ON payments USING btree (next_attempt_at) WHERE payments.next_attempt_at is not null;
	CREATE INDEX payments_payer_idx ON payments USING btree (payer, created_at desc);
	CREATE INDEX payments_under_way_idx ON payments USING btree (payer, created_at desc, inference_id desc) WHERE payments.state = 'settled';
	CREATE INDEX payments_prediction_idx ON payments USING btree (provider_prediction_id) WHERE payments.provider_prediction_id is not null;
	CREATE INDEX payments_identifier_idx ON payments USING btree (payer, payment_identifier) WHERE payments.payment_identifier is not null;
	CREATE INDEX payments_state_idx ON payments USING btree (state, created_at desc);
	EXECUTE format('ALTER TABLE payments ATTACH PARTITION %I FOR VALUES FROM (minvalue) TO (%L)', before, first);
	EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', before, before);
	-- The net: a time that no month has. It should stay empty; the doctor looks.
	CREATE TABLE payments_default PARTITION OF payments DEFAULT;
	CREATE TRIGGER payments_keep_key AFTER INSERT OR DELETE ON payments FOR EACH ROW EXECUTE FUNCTION keep_payment_key();
	CREATE TRIGGER payments_keep_changed_key AFTER UPDATE OF id, chain_id, asset, payer, nonce, tx_hash, inference_id, created_at ON payments
		FOR EACH ROW EXECUTE FUNCTION keep_payment_key();

	FOR item IN SELECT pg_get_userbyid(relowner) AS owner FROM pg_class
		WHERE oid = before::regclass AND pg_get_userbyid(relowner) <> current_user
	LOOP
		EXECUTE format('ALTER TABLE payments OWNER TO %I', item.owner);
		EXECUTE format('ALTER TABLE payments_default OWNER TO %I', item.owner);
	END LOOP;
	-- Rights on the table of all months are enough for the months too.
	FOR item IN SELECT a.grantee, a.privilege_type FROM pg_class c, aclexplode(c.relacl) a
		WHERE c.oid = before::regclass AND a.grantee <> c.relowner
	LOOP
		EXECUTE format('GRANT %s ON payments TO %s', item.privilege_type,
			CASE item.grantee WHEN 0 THEN 'PUBLIC' ELSE item.grantee::regrole::text END);
	END LOOP;
	PERFORM make_payment_months((replace(right(before, 7), '_', '-') || '-01')::date, 2);
END $$;
