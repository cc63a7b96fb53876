-- Two roles instead of one superuser: `server` owns the service's tables, `facilitator` its own, and neither reads the other's.
-- Run by the `roles` service of compose.yaml with psql, as the superuser, at every start. It also hands over the tables of an
-- earlier release, which the superuser owned.
\set ON_ERROR_STOP on
select set_config('coinslot.server', :'server', false), set_config('coinslot.facilitator', :'facilitator', false) \g /dev/null

do $$
declare
  name text;
begin
  foreach name in array array['server', 'facilitator'] loop
    if not exists (select from pg_roles where rolname = name) then
      execute format('create role %I', name);
    end if;
    execute format('alter role %I login password %L', name, current_setting('coinslot.' || name));
    -- Each creates its own schema.
    execute format('grant connect, create, temporary on database %I to %I', current_database(), name);
  end loop;
  execute format('revoke all on database %I from public', current_database());
end $$;

revoke all on schema public from public;
grant usage, create on schema public to server;

do $$
declare
  item record;
begin
  for item in
    select format('schema %I', nspname) as what, nspname from pg_namespace where nspname in ('drizzle', 'facilitator')
    union all
    select format('table %I.%I', schemaname, tablename), schemaname from pg_tables
    where schemaname in ('public', 'drizzle', 'facilitator')
    union all
    select format('type %I.%I', n.nspname, t.typname), n.nspname from pg_type t join pg_namespace n on n.oid = t.typnamespace
    where t.typtype = 'e' and n.nspname = 'public'
    union all
    select format('function %s', p.oid::regprocedure), n.nspname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = 'public'
  loop
    execute format('alter %s owner to %I', item.what, case item.nspname when 'facilitator' then 'facilitator' else 'server' end);
  end loop;
end $$;
