-- runs with 1
-- The requests to the API of the last days, for the merchant's developers. A process of the version before writes none. In
-- the merchant's home part. Bodies are masked before they come here.
create table request_log (
  part smallint not null,
  merchant_id bigint not null,
  id uuid not null,
  logged_at timestamptz not null default now(),
  request_id text not null check (length(request_id) between 1 and 64),
  method text not null check (length(method) between 1 and 16),
  route text not null check (length(route) between 1 and 128),
  path text not null check (octet_length(path) between 1 and 1024),
  status smallint not null check (status between 100 and 599),
  duration_us bigint not null check (duration_us >= 0),
  key_id text not null check (length(key_id) between 1 and 64),
  address text not null check (length(address) between 1 and 64),
  idempotency_key text check (length(idempotency_key) between 1 and 64),
  replayed boolean not null,
  user_agent text check (octet_length(user_agent) between 1 and 256),
  content_type text check (octet_length(content_type) between 1 and 128),
  payment_id uuid,
  request_body text check (octet_length(request_body) between 1 and 8192),
  request_bytes integer not null check (request_bytes >= 0),
  request_cut boolean not null,
  answer_body text check (octet_length(answer_body) between 1 and 8192),
  answer_bytes integer not null check (answer_bytes >= 0),
  answer_cut boolean not null,
  primary key (part, merchant_id, id),
  constraint request_log_id_carries_part
    check (part = ((get_byte(uuid_send(id), 6) & 15) << 8) + get_byte(uuid_send(id), 7))
);
comment on table request_log is 'Requests to the API with masked bodies, kept for days. Holds no personal data, and no secrets.';
comment on column request_log.id is 'Says when the request began, by the clock of the process that answered it.';
comment on column request_log.logged_at is 'When it was written, by the database''s clock: what it is forgotten by.';
comment on column request_log.key_id is 'The key that was used, without its digits.';
comment on column request_log.payment_id is 'The payment that it was about, where there was one; it need not be there, and need not be the merchant''s.';
comment on column request_log.request_bytes is 'How large it was that came; what is kept of it is masked, and at most 8192 bytes.';

create table request_log_omissions (
  part smallint not null check (part between 0 and 4095),
  merchant_id bigint not null,
  minute timestamptz not null,
  logged_at timestamptz not null default now(),
  count integer not null check (count > 0),
  primary key (part, merchant_id, minute)
) with (fillfactor = 70);
comment on table request_log_omissions is 'How many requests of a minute are not in the request log, since there were too many.';
comment on column request_log_omissions.minute is 'By the clock of the processes, as the ids of the requests are.';
