-- What the checkout needs: the check of a consumer by their bank, which holds no money and no personal data.
alter table payments add column challenge json;
comment on column payments.challenge is 'The latest 3-D Secure challenge; its source is opaque, its card only a mask.';
