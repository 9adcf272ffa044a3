-- phase: expand
-- Visits are counted by the day and without who they are from: pages read, checkouts begun, searches in vain (P85).

create table course_days (
  day date not null,
  course_id bigint not null references courses on delete cascade,
  -- How often the course's page was read, and a checkout with the course begun.
  reads integer not null default 0,
  begun integer not null default 0,
  primary key (day, course_id)
);
create index on course_days (course_id);

-- Searches that found no course. Empty words count those whose words are not kept.
create table lost_searches (
  day date not null,
  words text not null check (length(words) <= 60),
  asked integer not null,
  primary key (day, words)
);

-- Keyed hashes that tell how many networks asked for the same words: words are kept once three did. Another key for each
-- of the words, so that no row leads to another of the same network.
create table lost_search_askers (
  words_hash text not null,
  asker_hash text not null,
  asked_on date not null,
  primary key (words_hash, asker_hash)
);
create index on lost_search_askers (asked_on);
