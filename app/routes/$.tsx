import { NotFound } from "#app/shell/error-pages.tsx";

export const loader = () => {
  throw new Response(null, { status: 404 });
};

export default NotFound;
