import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";

interface ConfirmProps {
  title: string;
  text: string;
  yes: string;
  no: string;
  onYes(): void;
  onClose(): void;
}

/** Asks before something is lost. */
export function Confirm({ title, text, yes, no, onYes, onClose }: ConfirmProps) {
  return (
    <Dialog title={title} description={text} onClose={onClose}>
      <div className="grid grid-cols-2 gap-3">
        <Button look="quiet" onClick={onClose}>
          {no}
        </Button>
        <Button
          look="danger"
          onClick={() => {
            onClose();
            onYes();
          }}
        >
          {yes}
        </Button>
      </div>
    </Dialog>
  );
}
