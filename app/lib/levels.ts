export const levels = ['Beginner', 'Intermediate', 'Advanced', 'Expert'] as const;
export type Level = (typeof levels)[number];
