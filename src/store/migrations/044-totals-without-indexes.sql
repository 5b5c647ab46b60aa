-- online
-- runs with 1
-- What was refunded or cancelled had an index with a total in its condition, which kept every refund and every cancel from
-- staying on its page: each wrote to all indexes of its payment. They are found by walking the merchant's payments now, as
-- what was charged is. A program of before lists them more slowly meanwhile.
drop index concurrently if exists payments_refunded;
drop index concurrently if exists payments_cancelled;
