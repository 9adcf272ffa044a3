import { index, type RouteConfig, route } from '@react-router/dev/routes';

/** Every address of the site. `/healthz`, `/readyz` and `/assets` are answered before the router (server/app.ts). */
export default [
  index('routes/storefront/home.tsx'),
  route('courses', 'routes/storefront/courses.tsx'),
  route('course/:courseId', 'routes/storefront/course.tsx'),
  route('api/suggestions', 'routes/api/suggestions.ts'),
  route('art/:file', 'routes/files/course-art.ts'),
  route('*', 'routes/storefront/not-found.tsx'),
] satisfies RouteConfig;
