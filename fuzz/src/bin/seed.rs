fn main(){ toolcrib_fuzz::targets::write_seeds(); }
