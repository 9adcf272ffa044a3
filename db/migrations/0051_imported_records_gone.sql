-- Its rows are revisions since 0050.
drop table imported_records;
