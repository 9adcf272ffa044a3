-- phase: backfill
-- What was typed in the drafts of the last seven days; the trigger of 0060 copies it.
update enrolment_drafts set choice = choice where typed = '{}';
