/** A course with more learners is HOT. P5: compared as a number, where the specification strips one comma from a text. */
export const hotAbove = 10_000;
