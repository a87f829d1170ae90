"""`augcse play`: a local page to try augmentations and models on sentences of one's own. Only `page` and `application` import Gradio."""
