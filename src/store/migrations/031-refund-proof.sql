-- runs with 1
-- Above which amounts a refund at the console asks for a fresh proof. A process of the version before asks for none.
alter table merchants add column refund_proof json
  check (json_typeof(refund_proof) = 'object' and octet_length(refund_proof::text) <= 1024);
comment on column merchants.refund_proof is 'By currency, in minor units; null where no refund asks for one.';
