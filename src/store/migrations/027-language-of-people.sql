-- runs with 1
-- The language that a person has chosen for the console. A process of the version before shows it in English.
alter table people add column language text check (language ~ '^[a-z]{2}$');
comment on column people.language is 'Two letters; null: what the browser asks for.';
