-- phase: expand
-- What somebody gets back once a seat is sold again stays below what came back on the day of a move (P40): for contracts
-- made from now on, because earlier ones promise all of it.
alter table refund_ladders add column caps_resale boolean not null default false;
insert into refund_ladders (full_days, half_days, full_hours, reprices_kept, caps_resale) values (14, 7, 24, true, true);
