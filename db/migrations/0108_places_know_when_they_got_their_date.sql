-- phase: expand
-- A place that was bought without a date: when it got one (P40). From then on its buyer knows what cancelling costs, so the
-- hours in which all comes back count from there. Null for places that had their date from the start, and for older ones.
alter table places add column dated_at timestamptz;
