-- runs with 1
-- A payment is changed a few times within minutes of its creation. Half of each page is left for that, so that a change
-- stays on its page and writes to no index: there are more of those since payments are searched by their consumers.
alter table payments set (fillfactor = 50);
