-- Three roles instead of one superuser: `migrator` owns the service's tables and changes them, `server` reads and writes their rows and
-- owns nothing, `facilitator` owns its schema. Neither of the last two reads the other's tables.
-- Run by the `roles` service of compose.yaml with psql 14 or newer, as the superuser, at every start. It also hands over the tables of a
-- database that one role made, the superuser or the server.
\set ON_ERROR_STOP on
\getenv migrator MIGRATOR_DATABASE_PASSWORD
\getenv server SERVER_DATABASE_PASSWORD
\getenv facilitator FACILITATOR_DATABASE_PASSWORD
select set_config('coinslot.migrator', :'migrator', false), set_config('coinslot.server', :'server', false), set_config('coinslot.facilitator', :'facilitator', false) \g /dev/null

do $$
declare
  name text;
begin
  execute format('revoke all on database %I from public', current_database());
  foreach name in array array['migrator', 'server', 'facilitator'] loop
    if not exists (select from pg_roles where rolname = name) then
      execute format('create role %I', name);
    end if;
    execute format('alter role %I login password %L', name, current_setting('coinslot.' || name));
    execute format('revoke all on database %I from %I', current_database(), name);
    execute format('grant connect on database %I to %I', current_database(), name);
  end loop;
  -- They run `create schema if not exists`, which asks for this right also where the schema is there.
  execute format('grant create on database %I to migrator, facilitator', current_database());
end $$;

create schema if not exists drizzle;
revoke all on schema public from public, server;
revoke all on schema drizzle from server;
grant usage, create on schema public to migrator;

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
    execute format('alter %s owner to %I', item.what, case item.nspname when 'facilitator' then 'facilitator' else 'migrator' end);
  end loop;
end $$;

-- Rows, and the notes of which migrations are in place. The journal's months are made by a function that acts as its owner: no one but
-- the server may call it.
grant usage on schema public, drizzle to server;
grant select, insert, update, delete on all tables in schema public to server;
grant select on all tables in schema drizzle to server;
alter default privileges for role migrator in schema public grant select, insert, update, delete on tables to server;
alter default privileges for role migrator in schema drizzle grant select on tables to server;
grant execute on all functions in schema public to server;
alter default privileges for role migrator in schema public grant execute on functions to server;
alter default privileges for role migrator revoke execute on functions from public;

-- Advisory locks have no owner, so their functions are divided: locks named by one number are the service's, those by two numbers are the
-- facilitator's. Neither can keep the other from its locks.
do $$
declare
  item record;
begin
  for item in
    select oid::regprocedure as lock, case pronargs when 1 then 'migrator, server' else 'facilitator' end as roles
    from pg_proc where pronamespace = 'pg_catalog'::regnamespace and proname ~ '^pg_(try_)?advisory_(xact_)?lock'
  loop
    execute format('revoke execute on function %s from public, migrator, server, facilitator', item.lock);
    execute format('grant execute on function %s to %s', item.lock, item.roles);
  end loop;
end $$;
