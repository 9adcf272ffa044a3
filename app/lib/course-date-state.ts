/** The stored state of a course date; full, closed, running and done are computed (P39). */
export type CourseDateState = 'tentative' | 'confirmed' | 'cancelled';
