-- phase: expand
-- Players keep courses they wish for, and may ask for an email when one gets a date (P57).

create table wishes (
  person_id bigint not null references people on delete cascade,
  course_id bigint not null references courses,
  wished_at timestamptz not null,
  -- Since when an email is asked for, and in which words; both null while it is not.
  mail_asked_at timestamptz,
  mail_wording text,
  primary key (person_id, course_id),
  check ((mail_asked_at is null) = (mail_wording is null))
);
create index on wishes (course_id);
create index on wishes (mail_asked_at) where mail_asked_at is not null;

-- Course dates that somebody was mailed about, or knew when they asked: none is mailed twice. They outlive the wish.
create table wish_dates_told (
  person_id bigint not null references people on delete cascade,
  training_session_id bigint not null references training_sessions,
  told_at timestamptz not null,
  primary key (person_id, training_session_id)
);
create index on wish_dates_told (training_session_id);
