"""`augcse play`: a local page to try augmentations and models on your own sentences. Only `page` and `application` import Gradio."""
