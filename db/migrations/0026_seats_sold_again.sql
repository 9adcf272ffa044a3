-- When it was settled that the seat of a cancelled place was sold again, and what was kept of it went back (P40).
alter table places add column seat_sold_again_at timestamptz;
