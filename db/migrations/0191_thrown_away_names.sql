-- phase: backfill
-- A new record whose only draft was thrown away kept its address or name for ever, though no list showed it. It gives it
-- back from now on; those that were thrown away before do so here.
update content_records record set key = 'thrown-away:' || id
where not exists (select from content_drafts where record_id = record.id)
  and not exists (select from content_revisions where record_id = record.id and state in ('published', 'retired'));
