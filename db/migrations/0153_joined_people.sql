-- phase: expand
-- Links in mails name the person that they were sent to, and hold for ever: after two accounts were joined they act for
-- the one that is left.
create table joined_people (
  former_id bigint primary key,
  person_id bigint not null references people on delete cascade
);
create index on joined_people (person_id);
