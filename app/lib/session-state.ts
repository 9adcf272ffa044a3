/** What is stored of a training session; full, closed, running and done are computed (P39). */
export type SessionState = 'tentative' | 'confirmed' | 'cancelled';
