-- phase: expand
-- What lies over a record: the newest of its drafts, or the revision that goes out at an instant (P70). A revision alone
-- cannot say so: an import may publish a newer one, and the draft stays. Published or thrown away, the row goes and its
-- revision stays in the history.
create table content_drafts (
  record_id bigint primary key references content_records,
  number integer not null,
  foreign key (record_id, number) references content_revisions (record_id, number)
);
