import { NotFound } from "#app/shell/not-found.tsx";

export const loader = () => {
  throw new Response(null, { status: 404 });
};

export default NotFound;
